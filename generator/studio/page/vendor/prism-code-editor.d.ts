// What the page uses of prism-code-editor.

export interface Options {
  language: string;
  value: string;
  readOnly: boolean;
  wordWrap: boolean;
  onUpdate: (value: string) => void;
  onSelectionChange: (selection: [start: number, end: number, direction: string]) => void;
}

export interface CodeEditor {
  container: HTMLElement;
  textarea: HTMLTextAreaElement;
  lines: HTMLCollectionOf<HTMLElement>; // the first holds the textarea, then one for each line
  value: string;
  activeLine: number; // from 1
  options: Partial<Options>;
  keyCommandMap: { [key: string]: ((event: KeyboardEvent) => boolean) | null };
  setOptions(options: Partial<Options>): void;
}

export function createEditor(container: HTMLElement, options: Partial<Options>): CodeEditor;
export const languages: { [name: string]: object };
