export type ArtifactKind = 'html' | 'svg' | 'markdown' | 'mermaid';

/** `<svg`, after an XML declaration if there is one. */
const SVG = /^\s*(?:<\?xml[^>]{0,200}>\s*)?<svg[\s/>]/;

/** Shorter texts are read well enough in the chat. In characters. */
const LONG_DOCUMENT = 1_000;

/** What a block of code is when it is shown beside the chat. Null for code that only is code. */
export function kindOf(language: string, code: string): ArtifactKind | null {
  switch (language) {
    case 'html':
    case 'svg':
    case 'mermaid':
      return language;
    case 'xml':
      return SVG.test(code) ? 'svg' : null;
    case 'md':
    case 'markdown':
      return code.length >= LONG_DOCUMENT ? 'markdown' : null;
    default:
      return null;
  }
}
