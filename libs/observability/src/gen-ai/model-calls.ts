import type { Metrics } from '../metrics/metrics.ts';
import type { Attributes, Tracing } from '../tracing/tracing.ts';
import type { MeasuredCall } from './model-metrics.ts';

/** The most tool names in metrics. Servers of third parties could have any number of names. */
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
  /** More than the call seems able to use. */
  readonly suspicious?: true;
}

export interface EndOfCall {
  readonly usage: UsedTokens;
  readonly responseModel?: string | null;
  readonly responseId?: string | null;
  readonly finishReason?: string;
}

/** A call that is under way. It ends once; later ends change nothing. */
export interface ModelCall {
  /** The first part of a streamed answer has come. */
  firstPart(): void;
  ended(end: EndOfCall): void;
  /** `errorType` is a word of a list in the code, never a message: messages of providers may quote content. */
  failed(errorType: string, usage?: UsedTokens | null): void;
}

export interface ToolCall {
  ended(errorType?: string | null): void;
}

/**
 * Spans and metrics of calls to models and tools, by the semantic conventions of OpenTelemetry for generative AI. They have no content: no
 * prompt, no answer, no arguments of tools, no message of an error. There is no setting for that, because a trace cannot be erased with its user.
 */
export class ModelCalls {
  private readonly tools = new Set<string>();

  constructor(
    private readonly tracing: Tracing,
    private readonly metrics: Metrics,
  ) {}

  /** Whether spans or metrics are collected. If not, calls need not go through this. */
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
