/** Policies of a guardrail that Amazon charges. Words, regular expressions and what else it reports are free. */
const REPORTED = {
  content: 'contentPolicyUnits',
  topic: 'topicPolicyUnits',
  sensitive_information: 'sensitiveInformationPolicyUnits',
  contextual_grounding: 'contextualGroundingPolicyUnits',
  automated_reasoning: 'automatedReasoningPolicyUnits',
} as const;

export type ChargedPolicy = keyof typeof REPORTED;

/** Text units of one call, by policy. A unit is up to 1,000 characters. */
export type GuardrailUnits = Readonly<Record<ChargedPolicy, number>>;

/** The longest texts of a call have about 200 units. A report of more than this is taken for a mistake, and counts as this. */
export const MOST_UNITS = 1_000;

/** As an answer of `ApplyGuardrail` reports them in `usage`. What it does not report is 0. */
export function unitsOf(usage: unknown): GuardrailUnits {
  const reported = (typeof usage === 'object' && usage !== null ? usage : {}) as Readonly<Record<string, unknown>>;
  const count = (policy: ChargedPolicy) => {
    const units = reported[REPORTED[policy]];
    return typeof units === 'number' && Number.isSafeInteger(units) && units > 0 ? Math.min(units, MOST_UNITS) : 0;
  };
  return {
    content: count('content'),
    topic: count('topic'),
    sensitive_information: count('sensitive_information'),
    contextual_grounding: count('contextual_grounding'),
    automated_reasoning: count('automated_reasoning'),
  };
}
