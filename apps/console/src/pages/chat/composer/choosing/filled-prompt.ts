/** Placeholders, and the escaped braces that begin none. The server has checked the text. */
const PLACEHOLDER = /\\\{\{|\{\{(.*?)\}\}/gu;

/** The text of a prompt with the values of its variables. */
export function filledPrompt(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (_, inside: string | undefined) => {
    if (inside === undefined) return '{{';
    const [name = ''] = inside.split(/[:|]/u);
    return values[name.trim()] ?? '';
  });
}
