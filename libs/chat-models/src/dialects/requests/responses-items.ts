import type { SdkPrompt } from '../../providers/sdk-prompt.ts';
import { inputIn } from './openai-messages.ts';
import { fileAt } from './request-files.ts';
import { invalidField, RequestFields, unsupported } from './request-fields.ts';
import { type AssistantPart, MOST_PARTS, type UserPart } from '../translation-target.ts';

/** Reads the items of the input of OpenAI's Responses. */
export class ResponseItems {
  readonly prompt: SdkPrompt = [];
  /** Names of tools by the IDs of their calls. */
  private readonly names = new Map<string, string>();
  private parts = 0;

  constructor(instructions: string | undefined) {
    if (instructions !== undefined) this.prompt.push({ role: 'system', content: instructions });
  }

  text(text: string): void {
    this.prompt.push({ role: 'user', content: [{ type: 'text', text }] });
  }

  add(item: RequestFields): void {
    this.count(item);
    item.ignore('id', 'status');
    const type = item.text('type') ?? 'message';
    switch (type) {
      case 'message':
        this.message(item);
        break;
      case 'function_call': {
        const [toolCallId, toolName] = [item.requiredText('call_id'), item.requiredText('name')];
        this.names.set(toolCallId, toolName);
        const input = inputIn(item.text('arguments') ?? '', item.at('arguments'));
        this.answer([{ type: 'tool-call', toolCallId, toolName, input }]);
        break;
      }
      case 'function_call_output': {
        const toolCallId = item.requiredText('call_id');
        const toolName = this.names.get(toolCallId);
        if (toolName === undefined) throw invalidField(item.at('call_id'), 'must be the ID of an earlier call');
        const value = this.textOf(item, 'output', ['input_text', 'output_text']);
        this.prompt.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }] });
        break;
      }
      case 'reasoning':
        // Only the model that wrote it can read it.
        item.ignore('summary', 'content', 'encrypted_content');
        break;
      default:
        throw unsupported(item.at('type'), `has the value ${JSON.stringify(type.slice(0, 40))}, which is not supported`);
    }
    item.end();
  }

  private message(item: RequestFields): void {
    const role = item.requiredText('role');
    item.ignore('phase');
    switch (role) {
      case 'system':
      case 'developer':
        return void this.prompt.push({ role: 'system', content: this.textOf(item, 'content', ['input_text']) });
      case 'assistant': {
        const text = this.textOf(item, 'content', ['output_text', 'refusal', 'input_text']);
        return this.answer(text === '' ? [] : [{ type: 'text', text }]);
      }
      case 'user': {
        const content = item.get('content');
        if (typeof content === 'string') return this.text(content);
        return void this.prompt.push({ role, content: item.each('content').map((part) => this.userPart(part)) });
      }
      default:
        throw unsupported(item.at('role'), 'must be user, assistant, system or developer');
    }
  }

  /** Items of one answer belong together. */
  private answer(parts: readonly AssistantPart[]): void {
    const last = this.prompt.at(-1);
    if (last?.role === 'assistant') last.content.push(...parts);
    else this.prompt.push({ role: 'assistant', content: [...parts] });
  }

  private textOf(item: RequestFields, name: string, types: readonly string[]): string {
    const content = item.get(name) ?? '';
    if (typeof content === 'string') return content;
    return item
      .each(name)
      .map((part) => {
        this.count(part);
        part.ignore('annotations', 'logprobs');
        const type = part.requiredText('type');
        if (!types.includes(type)) throw unsupported(part.at('type'));
        const text = part.requiredText(type === 'refusal' ? type : 'text');
        part.end();
        return text;
      })
      .join('\n');
  }

  private userPart(part: RequestFields): UserPart {
    this.count(part);
    part.ignore('detail');
    const read = userPart(part);
    part.end();
    return read;
  }

  private count(at: RequestFields): void {
    if (++this.parts > MOST_PARTS) throw invalidField(at.at('content'), `follows more than ${MOST_PARTS} items and parts`);
  }
}

function userPart(part: RequestFields): UserPart {
  const type = part.requiredText('type');
  switch (type) {
    case 'input_text':
      return { type: 'text', text: part.requiredText('text') };
    case 'input_image':
      if (!part.has('image_url')) throw unsupported(part.at(type), 'must have image_url, because files of a provider are not supported');
      return fileAt(part.requiredText('image_url'), part.at('image_url'), 'image');
    case 'input_file': {
      const name = part.has('file_url') ? 'file_url' : 'file_data';
      if (!part.has(name)) throw unsupported(part.at(type), 'must have file_data, because files of a provider are not supported');
      const filename = part.text('filename');
      return { ...fileAt(part.requiredText(name), part.at(name), 'application/pdf'), ...(filename !== undefined && { filename }) };
    }
    default:
      throw unsupported(part.at('type'), `has the value ${JSON.stringify(type.slice(0, 40))}, which is not supported`);
  }
}
