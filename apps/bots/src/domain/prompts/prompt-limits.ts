/** Prompts that one user may own at the same time. The state of the stream has them all. */
export const MAX_PROMPTS_OF_USER = 200;
/** Characters of a prompt's command. */
export const MAX_PROMPT_COMMAND = 50;
/** Characters of a prompt's description. */
export const MAX_PROMPT_DESCRIPTION = 1_000;
/** Characters of a prompt's text. */
export const MAX_PROMPT_TEXT = 16_384;
/** Different variables of a prompt. */
export const MAX_PROMPT_VARIABLES = 30;
/** Characters of a variable's name. */
export const MAX_VARIABLE_NAME = 50;
/** Options of a variable. */
export const MAX_VARIABLE_OPTIONS = 50;
/** The newest versions of a prompt, which are listed and can be restored. */
export const MAX_PROMPT_VERSIONS = 50;
/** The lists of all prompts of a user are in one state, so they are shorter than those of a bot. */
export const MAX_USERS_OF_PROMPT = 50;
export const MAX_GROUPS_OF_PROMPT = 20;
