import type { Root, RootContent, PhrasingContent } from 'mdast';

/** `[^1]` refers to the first chunk of knowledge that the reply was written from. */
const MARK = /\[\^(\d{1,3})\]/g;

/** Turns the marks, which are plain text in Markdown, into elements. */
export const citationMarks = () => (tree: Root) => replaceIn(tree);

function replaceIn(node: { children: RootContent[] }): void {
  node.children = node.children.flatMap((child): RootContent[] => {
    if (child.type === 'text') return withMarks(child.value);
    if ('children' in child && child.type !== 'link') replaceIn(child as { children: RootContent[] });
    return [child];
  });
}

export function withMarks(text: string): PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let from = 0;
  for (const match of text.matchAll(MARK)) {
    if (match.index > from) parts.push({ type: 'text', value: text.slice(from, match.index) });
    const data = { hName: 'cite', hProperties: { title: match[1] } };
    parts.push({ type: 'emphasis', children: [{ type: 'text', value: match[1]! }], data } as PhrasingContent);
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ type: 'text', value: text.slice(from) });
  return parts;
}

/** A footnote definition would turn the marks into a list of footnotes. */
export const withoutNotes = (text: string): string => text.replaceAll(/^( {0,3})\[\^(\w+)\]:/gm, String.raw`$1\[^$2]:`);
