/** The part of a stream's name after its kind: `bot-01J…` is the stream of the bot `01J…`. */
export const idInStream = (stream: string) => stream.slice(stream.indexOf('-') + 1);
