import { crc32 } from 'node:zlib';
import type { ProviderSettings } from '../src/index.ts';

export type DialectName = Exclude<ProviderSettings['type'], 'local'>;
export type Stop = 'end' | 'length' | 'stop_sequence' | 'filtered' | 'tools';

/** A tool call. The input is the model's raw text, which may not be JSON. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** Usage as a provider reports it. Input includes cached input. Values may be wrong on purpose. */
export interface ReportedUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** The part of `cacheWrite` that is cached for an hour. */
  readonly cacheWriteHour?: number;
}

/** Writes the pieces of a streamed answer. */
export interface Dialect {
  readonly contentType: string;
  readonly path: RegExp;
  readonly requestIdHeader: string;
  begin(usage: ReportedUsage | null): Buffer;
  reasoning(text: string): Buffer;
  text(text: string): Buffer;
  /** `nth`: the index of the call in the answer, from 0. */
  call(call: WrittenCall, nth: number): Buffer;
  end(stop: Stop, usage: ReportedUsage | null): Buffer;
}

const event = (data: object, name?: string): string => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const typed = (data: { type: string } & Record<string, unknown>): string => event(data, data.type);

const chunk = (choices: object[], more: object = {}) =>
  event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_795_262_400, model: 'm', choices, ...more });
const delta = (given: object, finish: string | null = null) => chunk([{ index: 0, delta: given, finish_reason: finish }]);

const compatible: Dialect = {
  contentType: 'text/event-stream',
  path: /\/chat\/completions$/,
  requestIdHeader: 'x-request-id',
  begin: () => Buffer.from(delta({ role: 'assistant', content: '' })),
  reasoning: (text) => Buffer.from(delta({ reasoning_content: text })),
  text: (text) => Buffer.from(delta({ content: text })),
  call: ({ id, name, input }, index) =>
    Buffer.from(
      delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }) +
        delta({ tool_calls: [{ index, function: { arguments: input } }] }),
    ),
  end(stop, usage) {
    const finish = { end: 'stop', stop_sequence: 'stop', length: 'length', filtered: 'content_filter', tools: 'tool_calls' }[stop];
    const reported = usage && {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    };
    return Buffer.from(`${delta({}, finish)}${usage ? chunk([], { usage: reported }) : ''}data: [DONE]\n\n`);
  },
};

const responses: Dialect = {
  contentType: 'text/event-stream',
  path: /\/responses$/,
  requestIdHeader: 'x-request-id',
  begin: () =>
    Buffer.from(
      typed({ type: 'response.created', response: { id: 'resp_1', created_at: 1_795_262_400, model: 'm' } }) +
        typed({ type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } }) +
        typed({
          type: 'response.output_item.added',
          output_index: 1,
          item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
        }),
    ),
  reasoning: (text) =>
    Buffer.from(typed({ type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', output_index: 0, summary_index: 0, delta: text })),
  text: (text) =>
    Buffer.from(typed({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta: text })),
  call({ id, name, input }, nth) {
    const output_index = 2 + nth;
    const item = { type: 'function_call', id: `fc_${nth}`, call_id: id, name };
    return Buffer.from(
      typed({ type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } }) +
        typed({ type: 'response.function_call_arguments.delta', item_id: item.id, output_index, delta: input }) +
        typed({ type: 'response.output_item.done', output_index, item: { ...item, arguments: input, status: 'completed' } }),
    );
  },
  end(stop, usage) {
    const reason = { length: 'max_output_tokens', filtered: 'content_filter', end: null, stop_sequence: null, tools: null }[stop];
    const type = reason === null ? 'response.completed' : 'response.incomplete';
    const reported = usage && {
      input_tokens: usage.input,
      output_tokens: usage.output,
      input_tokens_details: {
        cached_tokens: usage.cacheRead ?? 0,
        ...(usage.cacheWrite !== undefined && { cache_write_tokens: usage.cacheWrite }),
      },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    return Buffer.from(
      typed({ type, response: { incomplete_details: reason === null ? null : { reason }, ...(reported && { usage: reported }) } }),
    );
  },
};

const anthropic: Dialect = {
  contentType: 'text/event-stream',
  path: /\/messages$/,
  requestIdHeader: 'request-id',
  begin(usage) {
    const { input = 0, cacheRead = 0, cacheWrite = 0, cacheWriteHour = 0 } = usage ?? {};
    const counted = {
      input_tokens: input - cacheRead - cacheWrite,
      cache_read_input_tokens: cacheRead,
      cache_creation_input_tokens: cacheWrite,
      cache_creation: { ephemeral_5m_input_tokens: cacheWrite - cacheWriteHour, ephemeral_1h_input_tokens: cacheWriteHour },
    };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null };
    return Buffer.from(
      typed({ type: 'message_start', message: { ...message, usage: { ...counted, output_tokens: 0 } } }) +
        typed({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } }) +
        typed({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }),
    );
  },
  reasoning: (text) => Buffer.from(typed({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: text } })),
  text: (text) => Buffer.from(typed({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } })),
  call({ id, name, input }, nth) {
    const index = 2 + nth;
    return Buffer.from(
      typed({ type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } }) +
        typed({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: input } }) +
        typed({ type: 'content_block_stop', index }),
    );
  },
  end(stop, usage) {
    const stop_reason = { end: 'end_turn', stop_sequence: 'stop_sequence', length: 'max_tokens', filtered: 'refusal', tools: 'tool_use' }[
      stop
    ];
    return Buffer.from(
      typed({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage?.output ?? 0 } }) +
        typed({ type: 'message_stop' }),
    );
  },
};

const bedrock: Dialect = {
  contentType: 'application/vnd.amazon.eventstream',
  path: /\/model\/[^/]+\/converse-stream$/,
  requestIdHeader: 'x-amzn-requestid',
  begin: () => frame('messageStart', { role: 'assistant' }),
  reasoning: (text) => frame('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text } } }),
  text: (text) => frame('contentBlockDelta', { contentBlockIndex: 1, delta: { text } }),
  call({ id, name, input }, nth) {
    const contentBlockIndex = 2 + nth;
    return Buffer.concat([
      frame('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId: id, name } } }),
      frame('contentBlockDelta', { contentBlockIndex, delta: { toolUse: { input } } }),
      frame('contentBlockStop', { contentBlockIndex }),
    ]);
  },
  end(stop, usage) {
    const stopReason = {
      end: 'end_turn',
      stop_sequence: 'stop_sequence',
      length: 'max_tokens',
      filtered: 'content_filtered',
      tools: 'tool_use',
    }[stop];
    if (usage === null) return frame('messageStop', { stopReason });
    const { input, output, cacheRead = 0, cacheWrite = 0, cacheWriteHour = 0 } = usage;
    const reported = {
      inputTokens: input - cacheRead - cacheWrite,
      outputTokens: output,
      totalTokens: input + output,
      cacheReadInputTokens: cacheRead,
      cacheWriteInputTokens: cacheWrite,
      cacheDetails: [
        { ttl: '5m', inputTokens: cacheWrite - cacheWriteHour },
        { ttl: '1h', inputTokens: cacheWriteHour },
      ],
    };
    return Buffer.concat([frame('messageStop', { stopReason }), frame('metadata', { usage: reported, metrics: { latencyMs: 1 } })]);
  },
};

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { openai: responses, openai_compatible: compatible, anthropic, bedrock };

const STRING = 7;

/** An event in AWS event stream encoding. */
function frame(type: string, body: object): Buffer {
  const headers = Buffer.concat(
    Object.entries({ ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }).map(([name, value]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(value.length);
      return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([STRING]), length, Buffer.from(value)]);
    }),
  );
  const payload = Buffer.from(JSON.stringify(body));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + headers.byteLength + payload.byteLength, 0);
  prelude.writeUInt32BE(headers.byteLength, 4);
  const message = Buffer.concat([prelude, checksum(prelude), headers, payload]);
  return Buffer.concat([message, checksum(message)]);
}

function checksum(bytes: Buffer): Buffer {
  const made = Buffer.alloc(4);
  made.writeUInt32BE(crc32(bytes));
  return made;
}
