import { isTurnOver, nextTurn } from '@parlance/event-loop';
import type { SdkPrompt } from '../../providers/sdk-prompt.ts';
import { fileAt } from './request-files.ts';
import { invalidField, RequestFields, unsupported } from './request-fields.ts';
import { type AssistantPart, MOST_PARTS, type UserPart } from '../translation-target.ts';

/** Reads the messages of OpenAI's chat completions. */
export class OpenAiMessages {
  private readonly prompt: SdkPrompt = [];
  /** Names of tools by the IDs of their calls. */
  private readonly names = new Map<string, string>();
  private parts = 0;

  static async read(messages: readonly RequestFields[]): Promise<SdkPrompt> {
    const reader = new OpenAiMessages();
    for (const message of messages) {
      if (isTurnOver()) await nextTurn();
      reader.add(message);
      message.end();
    }
    return reader.prompt;
  }

  private add(message: RequestFields): void {
    this.count(message);
    message.ignore('name');
    const role = message.requiredText('role');
    switch (role) {
      case 'system':
      case 'developer':
        this.prompt.push({ role: 'system', content: this.textOf(message) });
        return;
      case 'user':
        this.prompt.push({ role, content: this.userParts(message) });
        return;
      case 'assistant':
        this.prompt.push({ role, content: this.assistantParts(message) });
        return;
      case 'tool':
        this.prompt.push({ role, content: [this.result(message)] });
        return;
      default:
        throw unsupported(message.at('role'), `has the value ${JSON.stringify(role.slice(0, 40))}, which is not supported`);
    }
  }

  /** The content as one text. */
  private textOf(message: RequestFields): string {
    const content = message.get('content');
    if (typeof content === 'string') return content;
    return message
      .each('content')
      .map((part) => {
        this.count(part);
        if (part.text('type') !== 'text') throw unsupported(part.at('type'));
        const text = part.requiredText('text');
        part.end();
        return text;
      })
      .join('\n');
  }

  private userParts(message: RequestFields): UserPart[] {
    const content = message.get('content');
    if (typeof content === 'string') return [{ type: 'text', text: content }];
    return message.each('content').map((part) => {
      this.count(part);
      const read = userPart(part);
      part.end();
      return read;
    });
  }

  private assistantParts(message: RequestFields): AssistantPart[] {
    // Servers send reasoning that they do not read again.
    message.ignore('reasoning_content', 'reasoning', 'annotations');
    const content = message.get('content');
    const texts = typeof content === 'string' ? [content] : message.each('content').map((part) => this.answerText(part));
    const refusal = message.text('refusal');
    const calls = message.each('tool_calls').map((call) => this.call(call));
    const all = [...texts, ...(refusal === undefined ? [] : [refusal])].filter((text) => text !== '');
    return [...all.map((text) => ({ type: 'text', text }) as const), ...calls];
  }

  private answerText(part: RequestFields): string {
    this.count(part);
    const type = part.text('type');
    if (type !== 'text' && type !== 'refusal') throw unsupported(part.at('type'));
    const text = part.requiredText(type);
    part.end();
    return text;
  }

  private call(call: RequestFields): AssistantPart {
    this.count(call);
    call.ignore('index');
    call.allow('type', 'function');
    const id = call.requiredText('id');
    const called = call.fields('function');
    if (!called) throw invalidField(call.at('function'), 'must be an object');
    const name = called.requiredText('name');
    const input = inputIn(called.text('arguments') ?? '', called.at('arguments'));
    called.end();
    call.end();
    this.names.set(id, name);
    return { type: 'tool-call', toolCallId: id, toolName: name, input };
  }

  private result(message: RequestFields) {
    const id = message.requiredText('tool_call_id');
    const toolName = this.names.get(id);
    if (toolName === undefined) throw invalidField(message.at('tool_call_id'), 'must be the ID of an earlier call');
    return { type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value: this.textOf(message) } } as const;
  }

  private count(at: RequestFields): void {
    if (++this.parts > MOST_PARTS) throw invalidField(at.at('content'), `follows more than ${MOST_PARTS} messages and parts`);
  }
}

function userPart(part: RequestFields): UserPart {
  const type = part.requiredText('type');
  if (type === 'text') return { type, text: part.requiredText('text') };
  if (type === 'image_url') {
    const image = part.fields(type);
    if (!image) throw invalidField(part.at(type), 'must be an object');
    image.ignore('detail');
    const file = fileAt(image.requiredText('url'), image.at('url'), 'image');
    image.end();
    return file;
  }
  if (type === 'file') {
    const file = part.fields(type);
    if (!file?.has('file_data')) throw unsupported(part.at(type), 'must have file_data, because files of a provider are not supported');
    const filename = file.text('filename');
    const read = fileAt(file.requiredText('file_data'), file.at('file_data'), 'application/pdf');
    file.end();
    return { ...read, ...(filename !== undefined && { filename }) };
  }
  throw unsupported(part.at('type'), `has the value ${JSON.stringify(type.slice(0, 40))}, which is not supported`);
}

export function inputIn(text: string, path: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField(path, 'must be JSON');
  }
}
