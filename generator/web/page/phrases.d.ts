// What pnp serves as phrases.js: the language of a page, and its phrases by their names.

export const language: string;
export const patterns: { [name: string]: string };
