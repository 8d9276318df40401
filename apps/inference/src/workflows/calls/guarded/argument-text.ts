import { CheckedText, type Masking, slicesOf, type Unmasker, type Verdicts } from '@parlance/guardrails';

const TOKENS = /\\|"|\[[A-Z]{1,8}_\d{1,9}\]|[^\\"[]+|\[/g;
/** The beginning of a placeholder at the end of a part. */
const BEGUN = /\[(?:[A-Z]{0,8}|[A-Z]{1,8}_\d{0,9})$/;

/** The value as it is within a text of JSON. */
const written = (value: string): string => JSON.stringify(value).slice(1, -1);

/** Puts placeholders outside of texts, which replace numbers, in quotes, so that the JSON stays valid. */
class PlaceholderQuotes {
  private isInText = false;
  private isEscaped = false;
  private held = '';

  add(part: string): string {
    const text = this.held + part;
    const end = BEGUN.exec(text)?.index ?? text.length;
    this.held = text.slice(end);
    return this.quoted(text.slice(0, end));
  }

  end(): string {
    return this.quoted(this.held);
  }

  private quoted(text: string): string {
    return text.replace(TOKENS, (token) => {
      if (this.isEscaped) this.isEscaped = false;
      else if (token === '"') this.isInText = !this.isInText;
      else if (token === '\\') this.isEscaped = this.isInText;
      else if (!this.isInText && token.length > 1 && token.startsWith('[')) return `"${token}"`;
      return token;
    });
  }
}

const ESCAPES = /((?:\\u[\da-f]{4}){1,1000})|\\[^]/gi;
/** Characters of the longest escape, such as \u00e9. */
const LONGEST_ESCAPE = 6;

/** Replaces escapes in JSON by the characters themselves where these are valid, because whoever parses the arguments reads the same. */
class PlainCharacters {
  private held = '';

  add(part: string): string {
    const text = this.held + part;
    const end = wholeEnd(text);
    this.held = text.slice(end);
    return plain(text.slice(0, end));
  }

  end(): string {
    return plain(this.held);
  }
}

const plain = (text: string): string =>
  text.replace(ESCAPES, (escape, codes?: string) =>
    codes === undefined ? (escape === '\\/' ? '/' : escape) : written(JSON.parse(`"${codes}"`) as string),
  );

/** Where an escape begins that the text does not have completely; otherwise its end. */
function wholeEnd(text: string): number {
  const last = text.lastIndexOf('\\');
  if (last < 0 || text.length - last >= LONGEST_ESCAPE) return text.length;
  let first = last;
  while (text[first - 1] === '\\') first--;
  const isEscaped = (last - first) % 2 === 1;
  const isWhole = isEscaped || (text.length > last + 1 && text[last + 1] !== 'u');
  return isWhole ? text.length : last;
}

/** The arguments of a tool, which are JSON, with placeholders that keep them valid. */
export class CheckedArguments {
  private readonly checked: CheckedText;
  private readonly characters = new PlainCharacters();
  private readonly quotes = new PlaceholderQuotes();

  constructor(verdicts: Verdicts, masking: Masking) {
    this.checked = new CheckedText(verdicts, masking);
  }

  add(slice: string): string {
    return this.quotes.add(this.checked.add(this.characters.add(slice)));
  }

  end(): string {
    const rest = this.checked.add(this.characters.end()) + this.checked.end();
    return this.quotes.add(rest) + this.quotes.end();
  }
}

/** Checks the whole arguments of a tool in a request. After a value that is blocked, they end. */
export async function checkArguments(text: string, verdicts: Verdicts, masking: Masking): Promise<string> {
  const checked = new CheckedArguments(verdicts, masking);
  const parts: string[] = [];
  for await (const slice of slicesOf(text)) parts.push(checked.add(slice));
  parts.push(checked.end());
  return parts.join('');
}

/** The arguments of a tool in an answer: checked, then with the caller's own values in place of their placeholders. */
export class ArgumentText {
  private readonly checked: CheckedArguments;
  private readonly unmasker: Unmasker;

  constructor(verdicts: Verdicts, masking: Masking) {
    this.checked = new CheckedArguments(verdicts, masking);
    this.unmasker = masking.unmasker(written);
  }

  async add(part: string): Promise<string> {
    let shown = '';
    for await (const slice of slicesOf(part)) shown += this.unmasker.add(this.checked.add(slice));
    return shown;
  }

  end(): string {
    return this.unmasker.add(this.checked.end()) + this.unmasker.end();
  }
}
