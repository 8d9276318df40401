import { userSubject } from '@parlance/foundation';

/** The texts of a prompt are sealed under a separate key, which is within the key of the owner and destroyed with the prompt. */
export const promptSubject = (promptId: string, ownerId: string) => ({ id: `prompt:${promptId}`, within: userSubject(ownerId).id });
