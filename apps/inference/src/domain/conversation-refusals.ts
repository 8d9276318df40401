import { onHold, Refusal, refuse, type Sentence } from '@parlance/decider';
import { MAX_RUNNING_REPLIES } from './conversation-limits.ts';

export const replyIsOver = () => refuse('conflict', 'reply_is_over', 'This reply is finished, or it does not exist.');
export const replyClaimed = () => refuse('conflict', 'reply_claimed', 'Another worker is writing this reply.');
/** The worker's lease has ended, and another worker has claimed the reply. */
export const claimLost = () => refuse('conflict', 'claim_lost', 'Another worker has taken over this reply.');
export const conversationNotFound = () =>
  refuse('missing', 'conversation_not_found', 'There is no such conversation, or it is not yours to see.');
export const messageNotFound = () => refuse('missing', 'message_not_found', 'There is no such message, or it is not yours to see.');
export const conversationIdTaken = () =>
  refuse('conflict', 'conversation_id_taken', 'This conversation id is in use. Choose another one, or leave it out.');

export const conversationNotTemporary = () =>
  refuse(
    'conflict',
    'conversation_not_temporary',
    'This conversation was not started as a temporary one. Leave `temporary` out, or start a new conversation.',
  );

export const conversationOfAnotherProject = () =>
  refuse(
    'conflict',
    'conversation_of_another_project',
    'This conversation is not in this project. Move it first, or leave `project_id` out.',
  );

export const conversationIsTemporary = () =>
  refuse(
    'conflict',
    'conversation_is_temporary',
    'A temporary conversation cannot be pinned, and is in no project. Start an ordinary one.',
  );

/** A refusal of one field of the request. */
export const refuseField = (path: string, code: string, detail: Sentence): Refusal =>
  refuse('invalid', code, detail, { errors: [{ path, message: detail }] });

export const parentUnknown = () =>
  refuseField('message.parent_message_id', 'parent_message_unknown', 'The conversation has no message with the id in parent_message_id.');

export const tooManyRunning = () =>
  refuse(
    'conflict',
    'reply_in_progress',
    `This conversation has ${MAX_RUNNING_REPLIES} replies that are still being written. Wait until one is finished.`,
  );

/** Whether the error is a refusal with the same code. */
export const isRefusal = (error: unknown, { code }: Refusal): boolean => error instanceof Refusal && error.code === code;

export const isOnHold = (error: unknown): boolean => isRefusal(error, onHold([], false));
