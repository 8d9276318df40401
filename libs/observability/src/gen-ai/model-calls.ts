import type { Metrics } from '../metrics/metrics.ts';
import type { Attributes, Tracing } from '../tracing/tracing.ts';
import type { MeasuredCall } from './model-metrics.ts';

/** The maximum number of tool names in metrics, because servers of third parties could have any number of names. */
const MOST_TOOLS = 200;

export interface CalledModel extends MeasuredCall {
  /** Further attributes of the span. They have no content. */
  readonly attributes?: Attributes;
}

export interface UsedTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** True if the number of tokens is implausibly high for the call. */
  readonly suspicious?: true;
}

export interface EndOfCall {
  readonly usage: UsedTokens;
  readonly responseModel?: string | null;
  readonly responseId?: string | null;
  readonly finishReason?: string;
}

/** A running call. Only the first end counts. */
export interface ModelCall {
  /** Call this when the first part of a streamed answer arrives. */
  firstPart(): void;
  ended(end: EndOfCall): void;
  /** `errorType` is one of a fixed list of words, never a message, because messages of providers may quote content. */
  failed(errorType: string, usage?: UsedTokens | null): void;
}

export interface ToolCall {
  ended(errorType?: string | null): void;
}

/**
 * Spans and metrics of calls to models and tools, by the semantic conventions of OpenTelemetry for generative AI. They never have content: no
 * prompts, answers, tool arguments or error messages. No setting can add content, because traces cannot be erased with their user.
 */
export class ModelCalls {
  private readonly tools = new Set<string>();

  constructor(
    private readonly tracing: Tracing,
    private readonly metrics: Metrics,
  ) {}

  /** Whether spans or metrics are collected. If not, callers may skip this class. */
  get isObserved(): boolean {
    return this.tracing.isRecorded || this.metrics.isServed;
  }

  begin({ attributes, ...call }: CalledModel): ModelCall {
    const { metrics } = this;
    const began = performance.now();
    const span = this.tracing.begin(`${call.operation} ${call.model}`, {
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': call.operation,
        'gen_ai.provider.name': call.provider,
        'gen_ai.request.model': call.model,
        ...attributes,
      },
    });
    let [hasFirst, isOver] = [false, false];
    const over = (errorType: string | null, usage: UsedTokens | null, more: Attributes) => {
      if (isOver) return;
      isOver = true;
      span.set({ ...(usage && usageAttributes(usage)), ...more, ...(errorType !== null && { 'error.type': errorType }) });
      span.end(errorType === null ? undefined : new Error(errorType));
      metrics.modelCall(call, secondsSince(began), errorType);
      if (!usage) return;
      if (usage.suspicious) metrics.suspiciousUsage(call);
      metrics.modelTokens(call, 'input', usage.inputTokens);
      if (call.operation === 'chat') metrics.modelTokens(call, 'output', usage.outputTokens);
    };
    return {
      firstPart() {
        if (hasFirst) return;
        hasFirst = true;
        metrics.modelFirstPart(call, secondsSince(began));
      },
      ended: ({ usage, responseModel, responseId, finishReason }) =>
        over(null, usage, {
          ...(responseModel && { 'gen_ai.response.model': responseModel }),
          ...(responseId && { 'gen_ai.response.id': responseId }),
          ...(finishReason && { 'gen_ai.response.finish_reasons': [finishReason] }),
        }),
      failed: (errorType, usage = null) => over(errorType, usage, {}),
    };
  }

  beginTool(name: string): ToolCall {
    const { metrics, tools } = this;
    const began = performance.now();
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name };
    const span = this.tracing.begin(`execute_tool ${name}`, { attributes });
    if (tools.size < MOST_TOOLS) tools.add(name);
    const measured = tools.has(name) ? name : 'other';
    return {
      ended(errorType = null) {
        if (errorType !== null) span.set({ 'error.type': errorType });
        span.end(errorType === null ? undefined : new Error(errorType));
        metrics.toolCall(measured, secondsSince(began), errorType);
      },
    };
  }
}

const secondsSince = (moment: number): number => (performance.now() - moment) / 1_000;

const usageAttributes = ({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: UsedTokens): Attributes => ({
  'gen_ai.usage.input_tokens': inputTokens,
  'gen_ai.usage.output_tokens': outputTokens,
  ...(cacheReadTokens > 0 && { 'gen_ai.usage.cache_read.input_tokens': cacheReadTokens }),
  ...(cacheWriteTokens > 0 && { 'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens }),
});
