"""The tests mirror generator/."""
