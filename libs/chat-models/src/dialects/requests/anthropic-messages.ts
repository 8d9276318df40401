import { isTurnOver, nextTurn } from '@parlance/event-loop';
import type { SdkPrompt } from '../../providers/sdk-prompt.ts';
import { fileAt, fileOf } from './request-files.ts';
import { invalidField, RequestFields, unsupported } from './request-fields.ts';
import { type AssistantPart, MOST_PARTS, present, type ResultPart, type TranslationTarget, type UserPart } from '../translation-target.ts';

type Output = ResultPart['output'];

/** Reads the messages of Anthropic's Messages API. */
export class AnthropicMessages {
  private readonly prompt: SdkPrompt = [];
  /** Names of tools by the IDs of their calls. */
  private readonly names = new Map<string, string>();
  private parts = 0;

  static async read(request: RequestFields, target: TranslationTarget): Promise<SdkPrompt> {
    const reader = new AnthropicMessages(target);
    reader.instructions(request);
    for (const message of request.each('messages')) {
      if (isTurnOver()) await nextTurn();
      reader.add(message);
      message.end();
    }
    return reader.prompt;
  }

  private constructor(private readonly target: TranslationTarget) {}

  private instructions(request: RequestFields): void {
    const system = request.get('system');
    if (system === undefined) return;
    if (typeof system === 'string') return void this.prompt.push({ role: 'system', content: system });
    const texts = request.each('system').map((block) => {
      this.count(block);
      if (block.text('type') !== 'text') throw unsupported(block.at('type'));
      block.ignore('citations');
      const read = { content: block.requiredText('text'), mark: this.markOf(block) };
      block.end();
      return read;
    });
    // Chat templates of some servers take one instruction only.
    if (this.target.cacheMark === null) this.prompt.push({ role: 'system', content: texts.map(({ content }) => content).join('\n\n') });
    else this.prompt.push(...texts.map(({ content, mark }) => ({ role: 'system', content, ...mark }) as const));
  }

  private add(message: RequestFields): void {
    this.count(message);
    const role = message.requiredText('role');
    const content = message.get('content');
    const isText = typeof content === 'string';
    const blocks = isText ? [] : message.each('content');
    for (const block of blocks) this.count(block);
    const mark = blocks.map((block) => this.markOf(block)).find((each) => 'providerOptions' in each) ?? {};
    if (role === 'assistant') {
      const parts: AssistantPart[] = isText ? textParts(content) : blocks.flatMap((block) => this.assistantPart(block));
      this.prompt.push({ role, content: parts, ...mark });
    } else if (role === 'user') {
      if (isText) return void this.prompt.push({ role, content: [{ type: 'text', text: content }] });
      const results: ResultPart[] = [];
      const rest: UserPart[] = [];
      for (const block of blocks) {
        if (block.has('tool_use_id')) results.push(this.result(block, rest));
        else rest.push(userPart(block));
        block.end();
      }
      if (results.length > 0) this.prompt.push({ role: 'tool', content: results, ...(rest.length === 0 && mark) });
      if (rest.length > 0) this.prompt.push({ role, content: rest, ...mark });
    } else throw unsupported(message.at('role'), 'must be user or assistant');
  }

  private assistantPart(block: RequestFields): AssistantPart[] {
    const type = block.requiredText('type');
    switch (type) {
      case 'text': {
        block.ignore('citations');
        const text = block.requiredText('text');
        block.end();
        return textParts(text);
      }
      case 'thinking': {
        const [text, signature] = [block.requiredText('thinking'), block.text('signature')];
        block.end();
        return this.reasoning(text, present({ signature }));
      }
      case 'redacted_thinking': {
        const redactedData = block.requiredText('data');
        block.end();
        return this.reasoning('', { redactedData });
      }
      case 'tool_use': {
        block.ignore('caller');
        const [toolCallId, toolName, input] = [block.requiredText('id'), block.requiredText('name'), block.get('input') ?? {}];
        block.end();
        this.names.set(toolCallId, toolName);
        return [{ type: 'tool-call', toolCallId, toolName, input }];
      }
      default:
        throw unsupported(block.at('type'), `has the value ${JSON.stringify(type.slice(0, 40))}, which is not supported`);
    }
  }

  /** Reasoning can be read again only by the provider that signed it. */
  private reasoning(text: string, signed: Record<string, string>): AssistantPart[] {
    if (this.target.type !== 'bedrock' || Object.values(signed).every((value) => value === '')) return [];
    return [{ type: 'reasoning', text, providerOptions: { amazonBedrock: signed } }];
  }

  /** Images of a result are put into `rest` for providers whose results are texts. */
  private result(block: RequestFields, rest: UserPart[]): ResultPart {
    block.allow('type', 'tool_result');
    const toolCallId = block.requiredText('tool_use_id');
    const toolName = this.names.get(toolCallId);
    if (toolName === undefined) throw invalidField(block.at('tool_use_id'), 'must be the ID of an earlier call');
    const isError = block.flag('is_error') === true;
    const content = block.get('content') ?? '';
    const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : this.resultParts(block);
    const files = parts.filter((part) => part.type === 'file');
    const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
    const takesFiles = this.target.type === 'bedrock';
    if (!takesFiles) rest.push(...files);
    const value = text === '' && files.length > 0 && !takesFiles ? 'The result is in the next message.' : text;
    const output: Output =
      takesFiles && files.length > 0
        ? { type: 'content', value: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...files] }
        : { type: isError ? 'error-text' : 'text', value };
    return { type: 'tool-result', toolCallId, toolName, output };
  }

  private resultParts(block: RequestFields): UserPart[] {
    return block.each('content').map((part) => {
      this.count(part);
      this.markOf(part);
      const read = userPart(part);
      part.end();
      return read;
    });
  }

  private markOf(block: RequestFields) {
    const isMarked = block.get('cache_control') !== undefined;
    return isMarked && this.target.cacheMark !== null ? { providerOptions: this.target.cacheMark } : {};
  }

  private count(at: RequestFields): void {
    if (++this.parts > MOST_PARTS) throw invalidField(at.at('content'), `follows more than ${MOST_PARTS} messages and blocks`);
  }
}

/** Providers refuse an empty text. */
const textParts = (text: string): AssistantPart[] => (text === '' ? [] : [{ type: 'text', text }]);

function userPart(block: RequestFields): UserPart {
  const type = block.requiredText('type');
  if (type === 'text') {
    block.ignore('citations');
    return { type, text: block.requiredText('text') };
  }
  if (type !== 'image' && type !== 'document')
    throw unsupported(block.at('type'), `has the value ${JSON.stringify(type.slice(0, 40))}, which is not supported`);
  const title = type === 'document' ? block.text('title') : undefined;
  const citations = type === 'document' ? block.fields('citations') : undefined;
  citations?.allow('enabled', false);
  citations?.end();
  const source = block.fields('source');
  if (!source) throw invalidField(block.at('source'), 'must be an object');
  const part = sourceOf(source, type, title);
  source.end();
  return part;
}

function sourceOf(source: RequestFields, type: 'image' | 'document', title: string | undefined): UserPart {
  switch (source.requiredText('type')) {
    case 'base64':
      return fileOf(source.requiredText('media_type'), source.requiredText('data'), source.at('media_type'), title);
    case 'url':
      return fileAt(source.requiredText('url'), source.at('url'), type === 'image' ? 'image' : 'application/pdf');
    case 'text': {
      source.allow('media_type', 'text/plain');
      const text = source.requiredText('data');
      return { type: 'text', text: title === undefined ? text : `${title}\n\n${text}` };
    }
    default:
      throw unsupported(source.at('type'), 'must be base64, url or text');
  }
}
