/** Policies of a guardrail that Amazon charges for. Words, regular expressions and the other reported ones are free. */
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

/** The longest texts of a call have about 200 units. A higher report is assumed to be wrong and counts as this many. */
export const MOST_UNITS = 1_000;

/** The units in the `usage` of an `ApplyGuardrail` answer. A missing number counts as 0. */
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
