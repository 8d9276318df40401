import type { Message } from '@parlance/client/types';

const LINE = 26;
/** The height of the name above a message and the buttons below it. */
const AROUND = 120;
const FILE = 270;

/** Estimates the height in pixels of a message that has not been laid out. It errs on the high side, so that messages do not overlap. */
export function likelyHeight({ content }: Pick<Message, 'content'>, lineLength: number): number {
  return content.reduce((height, part) => {
    if (part.content_type === 'text') return height + heightOf(part.body, lineLength);
    if (part.content_type === 'image' || part.content_type === 'attachment') return height + FILE;
    return height + 2 * LINE;
  }, AROUND);
}

function heightOf(text: string, lineLength: number): number {
  const lines = text.split('\n');
  const blocks = text.match(/^(```|\||---|#)/gm)?.length ?? 0;
  return (lines.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / lineLength)), 0) + 2 * blocks) * LINE;
}
