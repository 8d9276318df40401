import { projects } from './en/projects.ts';
import { hookOf } from './index.ts';

/** Loaded with the list of projects, after the chats. */
export const useProjectMessages = hookOf('projects', projects);
