/** Projects that one user may own at the same time. The state of the stream has them all. */
export const MAX_PROJECTS_OF_USER = 200;
/** Members of a project besides its owner. */
export const MAX_MEMBERS_OF_PROJECT = 100;
/** Characters of a project's title. */
export const MAX_PROJECT_TITLE = 100;
/** Characters of a project's instruction. */
export const MAX_PROJECT_INSTRUCTION = 32_768;
