/** The first letter or digit of a title as a capital. Null if the title has none, such as one of emoji only. */
export const initialOf = (title: string): string | null => /[\p{L}\p{N}]/u.exec(title)?.[0].toLocaleUpperCase() ?? null;
