import { userSubject } from '@parlance/foundation';

/** The texts of a bot are sealed under a key of their own, which is within the key of the bot's owner. */
export const botSubject = (botId: string, ownerUserId: string) => ({ id: `bot:${botId}`, within: userSubject(ownerUserId).id });

/** The last title of a deleted bot. It is kept when the key of the bot is destroyed, and goes with the key of the owner. */
export const lastTitleSubject = (botId: string, ownerUserId: string) => ({ id: `bottitle:${botId}`, within: userSubject(ownerUserId).id });
