import { refuse } from '@parlance/decider';
import { MAX_MEMBERS_OF_PROJECT, MAX_PROJECTS_OF_USER } from './project-limits.ts';

/** The same answer for a project that never existed, that was deleted, or that the caller is no member of. */
export const projectNotFound = () => refuse('missing', 'project_not_found', 'There is no such project, or you are not a member of it.');

export const notEditor = () =>
  refuse('forbidden', 'not_project_editor', 'You can only view this project. Ask its owner to make you an editor.');

export const notOwner = () => refuse('forbidden', 'not_project_owner', 'Only the owner of a project can do this.');

export const memberIsOwner = () =>
  refuse('conflict', 'member_is_owner', 'The owner always belongs to the project. Delete the project instead.');

export const tooManyProjects = () =>
  refuse('conflict', 'too_many_projects', `You can own at most ${MAX_PROJECTS_OF_USER} projects. Delete one first.`);

export const tooManyMembers = () =>
  refuse('conflict', 'too_many_members', `A project has at most ${MAX_MEMBERS_OF_PROJECT} members besides its owner. Remove one first.`);
