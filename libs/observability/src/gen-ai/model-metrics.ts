import type { Registry } from 'prom-client';

/** The labels of a call in metrics. Each value comes from the configuration or from a fixed list, so the number of series is bounded. */
export interface MeasuredCall {
  readonly operation: 'chat' | 'embeddings';
  /** The name of the provider in the semantic conventions, such as `aws.bedrock`. */
  readonly provider: string;
  /** Model name at the provider. */
  readonly model: string;
}

/** Calls of models and tools, by the semantic conventions of OpenTelemetry for generative AI. */
export interface ModelMetrics {
  /** `errorType` is null for a successful call. */
  modelCall(call: MeasuredCall, seconds: number, errorType: string | null): void;
  modelTokens(call: MeasuredCall, type: 'input' | 'output', tokens: number): void;
  /** Counts a call whose provider reported an implausible number of tokens. */
  suspiciousUsage(call: MeasuredCall): void;
  modelFirstPart(call: MeasuredCall, seconds: number): void;
  toolCall(tool: string, seconds: number, errorType: string | null): void;
}

export const silentModelMetrics: ModelMetrics = {
  modelCall() {},
  modelTokens() {},
  suspiciousUsage() {},
  modelFirstPart() {},
  toolCall() {},
};

// The boundaries come from the conventions.
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const FIRST_PART_SECONDS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

const CALL_LABELS = ['service', 'gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model'];

export function modelMetricsOf(prom: typeof import('prom-client'), registry: Registry): (service: string) => ModelMetrics {
  const histogram = (name: string, help: string, labelNames: readonly string[], buckets: number[]) =>
    new prom.Histogram({ name: `gen_ai_${name}`, help, labelNames: [...labelNames], buckets, registers: [registry] });
  const durations = histogram('client_operation_duration_seconds', 'Time of a call to a model', [...CALL_LABELS, 'error_type'], SECONDS);
  const tokens = histogram('client_token_usage', 'Tokens of a call to a model', [...CALL_LABELS, 'gen_ai_token_type'], TOKENS);
  const suspicious = new prom.Counter({
    name: 'parlance_suspicious_usage_total',
    help: 'Calls to a model whose provider has reported more tokens than the call seems able to use',
    labelNames: CALL_LABELS,
    registers: [registry],
  });
  const first = histogram(
    'client_operation_time_to_first_chunk_seconds',
    'Time to the first part of a streamed answer',
    CALL_LABELS,
    FIRST_PART_SECONDS,
  );
  const tools = histogram(
    'execute_tool_duration_seconds',
    'Time of a call to a tool',
    ['service', 'gen_ai_tool_name', 'error_type'],
    SECONDS,
  );
  return (service) => {
    const labels = ({ operation, provider, model }: MeasuredCall) => ({
      service,
      gen_ai_operation_name: operation,
      gen_ai_provider_name: provider,
      gen_ai_request_model: model,
    });
    return {
      modelCall: (call, seconds, errorType) => durations.observe({ ...labels(call), error_type: errorType ?? '' }, seconds),
      modelTokens: (call, type, count) => tokens.observe({ ...labels(call), gen_ai_token_type: type }, count),
      suspiciousUsage: (call) => suspicious.inc(labels(call)),
      modelFirstPart: (call, seconds) => first.observe(labels(call), seconds),
      toolCall: (tool, seconds, errorType) => tools.observe({ service, gen_ai_tool_name: tool, error_type: errorType ?? '' }, seconds),
    };
  };
}
