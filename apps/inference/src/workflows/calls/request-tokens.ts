import { TOKENS_OF_AN_IMAGE, tokensOfTexts } from '../../commands/prompt-tokens.ts';

/** Names of fields with a file or its address. Anthropic has the text of a document there, too. */
const FILE_FIELDS = new Set(['url', 'image_url', 'data', 'file_data']);
const FILE = /^(?:https?:\/\/\S{1,4096}|(?:data:[^,\s]{0,200},)?[A-Za-z0-9+/=_-]*)$/;

/** Counts the texts of a request with the tokenizer, and adds a bound for each file. */
export async function tokensIn(request: unknown): Promise<number> {
  const texts: string[] = [];
  const others = collect(request, texts);
  return (await tokensOfTexts([texts.join('\n')])) + others;
}

/** Collects the texts of a request. Returns the tokens of its files, and of input that is already tokens. */
function collect(value: unknown, texts: string[], name = ''): number {
  if (typeof value === 'number') return 1;
  if (typeof value === 'string') {
    if (FILE_FIELDS.has(name) && FILE.test(value)) return TOKENS_OF_AN_IMAGE;
    texts.push(value);
    return 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let others = 0;
  if (Array.isArray(value)) for (const item of value) others += collect(item, texts, name);
  else
    for (const [key, field] of Object.entries(value)) {
      texts.push(key);
      // A text without spaces looks like a file.
      const isText = key === 'data' && 'type' in value && value.type === 'text';
      others += collect(field, texts, isText ? '' : key);
    }
  return others;
}
