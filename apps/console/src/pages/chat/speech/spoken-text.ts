import { type Token, Lexer } from 'marked';
import { blocksOf } from '../markdown/blocks.ts';

/** The first piece is short, so that it is heard soon. */
const FIRST_CHARACTERS = 300;
/** OpenAI's models accept at most 4,096. */
const PIECE_CHARACTERS = 1_500;

const CITATIONS = /\s?\[\^\d+\]/g;

/** The pieces of a reply that are read aloud, one after another. Code, formatting and citations are left out. */
export function spokenPieces(markdown: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const sentence of sentencesOf(spokenText(markdown))) {
    const limit = pieces.length === 0 ? FIRST_CHARACTERS : PIECE_CHARACTERS;
    if (piece !== '' && piece.length + sentence.length > limit) {
      pieces.push(piece.trim());
      piece = '';
    }
    piece += sentence;
  }
  return [...pieces, piece.trim()].filter((text) => text !== '');
}

function spokenText(markdown: string): string {
  const blocks = blocksOf(markdown.replaceAll(CITATIONS, ''));
  return blocks
    .map(({ text, isPlain }) => (isPlain ? text : spoken(new Lexer().lex(text))))
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n');
}

/** Sentences without an end are cut. */
function* sentencesOf(text: string): Generator<string> {
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text))
    for (let from = 0; from < segment.length; from += PIECE_CHARACTERS) yield segment.slice(from, from + PIECE_CHARACTERS);
}

const spoken = (tokens: readonly Token[]): string => tokens.map(spokenToken).join('');

function spokenToken(token: Token): string {
  switch (token.type) {
    case 'code':
    case 'html':
    case 'def':
    case 'hr':
    case 'checkbox':
      return '';
    case 'space':
    case 'br':
      return '\n';
    case 'list':
      return lines((token['items'] as readonly Token[]).map((item) => childrenOf(item)));
    case 'table': {
      const rows = [token['header'], ...token['rows']] as readonly (readonly Token[])[];
      return lines(rows.map((row) => row.map((cell) => childrenOf(cell)).join(', ')));
    }
    case 'heading':
    case 'paragraph':
    case 'blockquote':
      return `${childrenOf(token)}\n`;
    default:
      return childrenOf(token);
  }
}

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

/** The text of an image or of inline code is that of its source. */
const childrenOf = (token: Token): string =>
  'tokens' in token && token.tokens && token.type !== 'image' ? spoken(token.tokens) : 'text' in token ? String(token.text) : '';
