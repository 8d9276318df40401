export type YamlValue = null | boolean | number | string | readonly YamlValue[] | { readonly [name: string]: YamlValue };

const INDENT = '  ';

/**
 * Writes a value as YAML: block style, texts with several lines as literal blocks, other texts in double quotes. The package `yaml` takes
 * a thousand times longer for the same result: 2 s for 10,000 files.
 */
export function yamlOf(value: { readonly [name: string]: YamlValue }): string {
  const lines: string[] = [];
  writeFields(value, '', lines);
  return `${lines.join('\n')}\n`;
}

function writeFields(value: { readonly [name: string]: YamlValue }, indent: string, lines: string[]): void {
  for (const [name, field] of Object.entries(value)) if (field !== undefined) write(field, `${indent}${name}:`, indent, lines);
}

/** `head` is the text before the value, such as `title:` or `-`. */
function write(value: YamlValue, head: string, indent: string, lines: string[]): void {
  if (value === null || typeof value !== 'object') {
    if (typeof value === 'string' && isBlock(value)) writeBlock(value, head, indent, lines);
    else lines.push(`${head} ${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`);
    return;
  }
  const inner = indent + INDENT;
  if (Array.isArray(value)) {
    if (value.length === 0) lines.push(`${head} []`);
    else lines.push(head);
    for (const item of value as readonly YamlValue[]) write(item, `${inner}-`, inner, lines);
    return;
  }
  if (Object.keys(value).length === 0) return void lines.push(`${head} {}`);
  const lineGroup: string[] = [];
  writeFields(value as { readonly [name: string]: YamlValue }, inner, lineGroup);
  // The first field of an item is on the same line as its dash.
  if (head.endsWith('-')) lineGroup[0] = `${head} ${lineGroup[0]!.trimStart()}`;
  else lines.push(head);
  for (const line of lineGroup) lines.push(line);
}

/** Characters that a literal block cannot contain. */
// oxlint-disable-next-line no-control-regex
const NOT_IN_BLOCK = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;
/** Matches texts whose last line has only blanks: after a block, that line would be read as an empty one. */
const ENDS_IN_BLANKS = /\n[ \t]+\n*$/;
const isBlock = (text: string): boolean =>
  /\S.*\n/.test(text) && !NOT_IN_BLOCK.test(text) && !ENDS_IN_BLANKS.test(text) && text.isWellFormed();

function writeBlock(text: string, head: string, indent: string, lines: string[]): void {
  const end = /\n*$/.exec(text)![0].length;
  const chomping = end === 0 ? '-' : end === 1 ? '' : '+';
  lines.push(`${head} |${INDENT.length}${chomping}`);
  const rows = text.split('\n');
  // The last line break ends the last line.
  if (end > 0) rows.pop();
  for (const row of rows) lines.push(row === '' ? '' : indent + INDENT + row);
}

/** Characters that JSON does not escape, and that YAML does not allow or reads as a line break. */
// oxlint-disable-next-line no-control-regex
const TO_ESCAPE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(TO_ESCAPE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
