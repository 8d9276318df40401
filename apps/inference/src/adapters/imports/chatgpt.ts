// Node runs this source without compiling it in tests; see limits.ts.
import { type Draft, type DraftMessage, isObject, joined, Left, listIn, memberOf, millisOf, textIn } from './drafts.ts';

/** Reads a conversation of a ChatGPT export, which is a tree of nodes by ID. Null for anything else. */
export function chatGptDraft(value: unknown): Draft | null {
  const sourceId = textIn(memberOf(value, 'conversation_id')) ?? textIn(memberOf(value, 'id'));
  const mapping = memberOf(value, 'mapping');
  if (sourceId === null || !isObject(mapping)) return null;
  const left = new Left();
  const messages: DraftMessage[] = [];
  for (const [id, node] of Object.entries(mapping)) {
    if (!isObject(node)) left.add('invalid_message');
    else messages.push(messageOf(id, node, left));
  }
  return {
    sourceId,
    title: textIn(memberOf(value, 'title')) ?? '',
    startedAt: secondsOf(memberOf(value, 'create_time')),
    current: textIn(memberOf(value, 'current_node')),
    messages,
    left,
  };
}

function messageOf(id: string, node: object, left: Left): DraftMessage {
  const message = memberOf(node, 'message');
  const at = secondsOf(memberOf(message, 'create_time'));
  const metadata = memberOf(message, 'metadata');
  const model = textIn(memberOf(metadata, 'model_slug'));
  const common = { id, parent: textIn(memberOf(node, 'parent')), at, model };
  const nothing = { ...common, role: null, text: '' };
  // The root of a tree has no message.
  if (!isObject(message)) return nothing;
  const role = textIn(memberOf(memberOf(message, 'author'), 'role'));
  const { text, isHidden } = contentOf(memberOf(message, 'content'), left);
  if (role === 'user' || role === 'assistant') {
    const recipient = textIn(memberOf(message, 'recipient')) ?? 'all';
    if (recipient !== 'all') left.add('tool_message');
    else if (isHidden) left.add('system_message');
    else {
      for (const _ of listIn(memberOf(metadata, 'attachments'))) left.add('attachment');
      return { ...common, role, text };
    }
  } else if (role === 'tool') left.add('tool_message');
  else if (role !== 'system') left.add('unknown_role');
  else if (text !== '') left.add('system_message');
  return nothing;
}

function contentOf(content: unknown, left: Left): { readonly text: string; readonly isHidden?: boolean } {
  const type = textIn(memberOf(content, 'content_type'));
  switch (type) {
    case 'text':
    case 'multimodal_text':
      return { text: joined(listIn(memberOf(content, 'parts')).flatMap((part) => partOf(part, left))) };
    case 'code':
    case 'execution_output':
      return { text: textIn(memberOf(content, 'text')) ?? '' };
    case 'user_editable_context':
    case 'model_editable_context':
      return { text: '', isHidden: true };
    case 'thoughts':
    case 'reasoning_recap':
      left.add('reasoning');
      return { text: '' };
    default:
      if (content !== undefined && content !== null) left.add('unknown_content');
      return { text: '' };
  }
}

function partOf(part: unknown, left: Left): string[] {
  if (typeof part === 'string') return [part];
  const type = textIn(memberOf(part, 'content_type')) ?? '';
  const text = memberOf(part, 'text');
  if (type === 'audio_transcription' && typeof text === 'string') return [text];
  left.add(type === 'image_asset_pointer' ? 'image' : type.includes('asset_pointer') ? 'attachment' : 'unknown_content');
  return [];
}

const secondsOf = (value: unknown): number | null => (typeof value === 'number' ? millisOf(value * 1_000) : null);
