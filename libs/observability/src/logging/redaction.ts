const names =
  'authorization|cookie2?|api[_-]?keys?|passwords?|passwd|pwd|token|secrets?(?:[_-]?access)?(?:[_-]?keys?)?|(?:access|master|private)[_-]?key|code_verifier|credentials?|signature|mongo_?uri|parlance-caller';

const secretName = new RegExp(`(?:${names})$`, 'i');
/** Matches a secret's name in text, its quotes (escaped any number of times), and the separator before its value. */
const named = new RegExp(`(?<![\\w-])[\\w-]*(?:${names})(?:\\\\*["'])?\\s*(?:%3A|%3D|=>|[:=])\\s*`, 'gi');
/** Names whose values may contain spaces and commas, up to the end of the line. */
const wholeLine = /(?:authorization|cookie2?)[^\w]*\s*(?:%3A|%3D|=>|[:=])\s*$/i;

/** Secrets that are recognised by their form. Lengths are bounded, so that no text makes the search slow. */
const unmistakable: readonly (readonly [RegExp, string])[] = [
  [/prl_[\w-]{4,}/g, 'prl_***'],
  [/whsec_[\w+/=-]{4,}/g, 'whsec_***'],
  [/(?<!\w)sk-[\w-]{12,}/g, 'sk-***'],
  // A signed or sealed token, even if it is truncated.
  [/eyJ[\w-]{6,}(?:\.[\w-]*)*/g, 'eyJ***'],
  [/\b([Bb]earer\s{1,8})(?=[\w~+/.=-]{0,500}\d)[\w~+/.=-]{8,}/g, '$1***'],
  [/(?<![\w+.-])([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'\\]{0,256}:[^\s@"'\\]{0,512}@/gi, '$1***@'],
];

const suspicious = new RegExp(`${names}|prl_|whsec_|sk-|eyJ|bearer|://[^\\s"]{0,512}@`, 'i');

/**
 * Removes secrets from a finished JSON line before it is written: values under names of secrets, at any depth, and the matches of `redactedText`
 * in all strings. Since the line is finished, this covers the input of every logging call.
 */
export function redactedLine(line: string): string {
  // Few lines contain secrets. For the others, only this check runs (1 µs for a line of 260 characters, against 6).
  if (!suspicious.test(line)) return line;
  return `${JSON.stringify(redactedValue(JSON.parse(line)))}\n`;
}

/** Removes secrets from free text: `password=…`, `Authorization: …`, JSON in a message, keys, signed tokens, credentials in addresses. */
export function redactedText(text: string): string {
  if (!suspicious.test(text)) return text;
  return unmistakable.reduce((shorter, [pattern, mask]) => shorter.replace(pattern, mask), withoutNamedValues(text));
}

function redactedValue(value: unknown): unknown {
  if (typeof value === 'string') return redactedText(value);
  if (typeof value !== 'object' || value === null) return value;
  // Headers in raw form: name, value, name, value.
  if (Array.isArray(value)) return value.map((item, index) => (isSecretName(value[index - 1]) ? '***' : redactedValue(item)));
  const pair = 'value' in value && Object.values(value).some(isSecretName);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      redactedText(key),
      inner !== null && (secretName.test(key) || (pair && key === 'value')) ? '***' : redactedValue(inner),
    ]),
  );
}

function isSecretName(value: unknown): boolean {
  return typeof value === 'string' && /^[\w-]{1,60}$/.test(value) && secretName.test(value);
}

function withoutNamedValues(text: string): string {
  let out = '';
  let at = 0;
  named.lastIndex = 0;
  for (let match = named.exec(text); match; match = named.exec(text)) {
    const start = named.lastIndex;
    const end = endOfValue(text, start, wholeLine.test(match[0]));
    if (end === start) continue;
    out += `${text.slice(at, start)}***`;
    at = end;
    named.lastIndex = end;
  }
  return out + text.slice(at);
}

/** The end of the value that begins at `start`: after its closing quote or bracket, or where the sentence continues. */
function endOfValue(text: string, start: number, toEndOfLine: boolean): number {
  const quote = /^\\*["']/.exec(text.slice(start, start + 9))?.[0];
  if (quote) return endOfQuoted(text, start + quote.length, quote);
  if (text[start] === '{' || text[start] === '[') return endOfBrackets(text, start);
  const stop = toEndOfLine ? /[\r\n"']|\\[rn]/g : /[\s,;&"'})\]\\]/g;
  stop.lastIndex = start;
  return stop.exec(text)?.index ?? text.length;
}

function endOfQuoted(text: string, from: number, quote: string): number {
  const char = quote.at(-1)!;
  for (let at = text.indexOf(char, from); at !== -1; at = text.indexOf(char, at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    // A quote within the value has more backslashes than the closing quote.
    if (slashes < quote.length || (quote.length === 1 && slashes % 2 === 0)) return at + 1;
  }
  return text.length;
}

function endOfBrackets(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      let slashes = 0;
      while (text[at - 1 - slashes] === '\\') slashes++;
      at = endOfQuoted(text, at + 1, '\\'.repeat(slashes) + char) - 1;
    } else if (char === '{' || char === '[') open++;
    else if ((char === '}' || char === ']') && --open === 0) return at + 1;
  }
  return text.length;
}
