/** Bodies of bots with some of their settings. */
export const params = (generation_params: object) => ({ generation_params });
export const guardrails = (bedrock_guardrails: object) => ({ bedrock_guardrails });
export const base = (bedrock_knowledge_base: object) => ({ bedrock_knowledge_base });
export const chunking = (chunking_configuration: object) => base({ chunking_configuration });
