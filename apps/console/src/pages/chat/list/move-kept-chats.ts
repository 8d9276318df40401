import { ParlanceError } from '@parlance/client';
import { queryClient } from '../../../api/query-client.ts';
import { parlance } from '../../../session/parlance.ts';
import { moveChat, pinChat, projectsChanged, projectsQuery } from '../../projects/project-queries.ts';
import { keptChats, moveKeptChats } from './kept-chats.ts';

/** The chat was deleted, or is temporary. */
const GONE: ReadonlySet<string> = new Set(['conversation_not_found', 'conversation_is_temporary']);

const known = async (request: Promise<void>): Promise<boolean> => {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof ParlanceError && GONE.has(error.code)) return false;
    throw error;
  }
};

async function projectNamed(title: string, userId: string): Promise<string> {
  const projects = await queryClient.fetchQuery(projectsQuery);
  const own = projects.find((each) => each.title === title && each.owner_user_id === userId);
  if (own) return own.project_id;
  const { project_id } = await parlance.api.post('/projects', { body: { title } });
  await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
  return project_id;
}

/** Moves what an earlier release kept in this browser. Two tabs do not do it at the same time. */
export async function moveKept(userId: string): Promise<void> {
  const move = async () => {
    if (keptChats(localStorage, userId).length === 0) return;
    await moveKeptChats(localStorage, userId, {
      project: (title) => projectNamed(title, userId),
      pin: (id) => known(pinChat(id, true)),
      move: (id, projectId) => known(moveChat(id, projectId)),
    }).finally(projectsChanged);
  };
  // `navigator.locks` is missing over http on a local network.
  await ((navigator.locks as LockManager | undefined) ? navigator.locks.request('parlance.kept-chats', move) : move());
}
