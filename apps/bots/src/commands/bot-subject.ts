import { userSubject } from '@parlance/foundation';

/** The texts of a bot are sealed under a key of their own, which is within the key of the bot's owner. */
export const botSubject = (botId: string, ownerUserId: string) => ({ id: `bot:${botId}`, within: userSubject(ownerUserId).id });
