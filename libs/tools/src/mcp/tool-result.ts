import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { ToolResult } from '../tool.ts';
import { MOST_RESULT } from './limits.ts';
import { plainText } from '../plain-text.ts';

/** A call's result as a bounded text for the model. Other content is replaced by a note that names its kind. */
export function resultOf({ content, structuredContent, isError = false }: CallToolResult): ToolResult {
  let text = '';
  for (const block of content) {
    if (text.length > MOST_RESULT) break;
    text += `${text === '' ? '' : '\n'}${textOf(block)}`;
  }
  if (text === '' && structuredContent !== undefined) text = JSON.stringify(structuredContent);
  const plain = plainText(text, MOST_RESULT);
  return { text: text.length > MOST_RESULT ? `${plain}\n[The rest of the result was cut off.]` : plain, isError };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[A file of the type ${block.resource.mimeType ?? 'unknown'} was left out.]`;
    case 'resource_link':
      return `[${block.name}](${block.uri})`;
    default:
      return `[Content of the type ${block.type} was left out.]`;
  }
}
