import { userSubject } from '@parlance/foundation';

/** The texts of a bot are sealed under a separate key, which is within the key of the bot's owner. */
export const botSubject = (botId: string, ownerUserId: string) => ({ id: `bot:${botId}`, within: userSubject(ownerUserId).id });

/** The last title of a deleted bot. It outlives the key of the bot, and is destroyed with the key of the owner. */
export const lastTitleSubject = (botId: string, ownerUserId: string) => ({ id: `bottitle:${botId}`, within: userSubject(ownerUserId).id });
