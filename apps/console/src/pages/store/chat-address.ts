/** The address of a new chat with a bot, with a first question if one is given. */
export const chatAddress = (bot: string, ask?: string): string => `/?${new URLSearchParams({ bot, ...(ask && { ask }) })}`;
