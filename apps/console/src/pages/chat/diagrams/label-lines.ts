const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const ENTITY = /[&#](amp|lt|gt|quot|apos|nbsp|\d{1,6});/g;

/** Longer words are cut. */
const LONGEST_WORD = 28;
const LONGEST_LINE = 32;
const MOST_LINES = 8;

/** The lines of a label, without quotes and tags, wrapped where they are long. */
export function labelLines(label: string): readonly string[] {
  const text = label
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replace(/^`(.*)`$/s, '$1')
    .replaceAll(/<br\s*\/?>|\\n/gi, '\n')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(ENTITY, (_, name: string) => ENTITIES[name] ?? characterOf(Number(name)));
  const lines = text.split('\n').flatMap((line) => wrapped(line.trim()));
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), `${lines[MOST_LINES - 1]} …`] : lines;
  return shown.length === 1 && shown[0] === '' ? [] : shown;
}

const characterOf = (code: number): string => (code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : '');

function wrapped(line: string): string[] {
  const words = line.split(/\s+/).flatMap((word) => word.match(new RegExp(`.{1,${LONGEST_WORD}}`, 'gu')) ?? ['']);
  const lines = [''];
  for (const word of words) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + 1 + word.length > LONGEST_LINE) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
