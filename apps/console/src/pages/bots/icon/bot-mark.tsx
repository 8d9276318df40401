import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { parlance } from '../../../session/parlance.ts';
import type { MarkedBot } from './appearance.ts';
import { initialOf } from './initial.ts';
import { LineIcon } from './line-icon.tsx';

/** The address of the bytes for an `<img>`, which cannot send the access token. A picture never changes. */
const pictureQuery = (botId: string, pictureId: string) => ({
  queryKey: ['picture', pictureId],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const answer = await fetch(`/bot/${botId}/picture/${pictureId}`, { headers: await parlance.session.headers(), signal });
    if (!answer.ok) throw new Error(answer.statusText);
    return dataUrlOf(await answer.blob());
  },
  staleTime: Infinity,
});

const dataUrlOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error!));
    reader.readAsDataURL(blob);
  });

/** The part of a bot's icon that is not a letter. */
export function BotMark({ bot }: { readonly bot: MarkedBot }) {
  const { id, picture, icon } = bot;
  // The key forgets that the earlier picture could not be shown.
  return id && picture ? <Picture key={picture} bot={bot} botId={id} pictureId={picture} /> : <LineIcon name={icon ?? 'chat'} />;
}

/** While the picture cannot be shown, the icon or the initial is. */
function Picture({ bot, botId, pictureId }: { readonly bot: MarkedBot; readonly botId: string; readonly pictureId: string }) {
  const { data: url, isPending } = useQuery(pictureQuery(botId, pictureId));
  const [isBroken, setBroken] = useState(false);
  if (isPending) return null;
  if (url !== undefined && !isBroken)
    return <img src={url} alt="" className="size-full rounded-[inherit] object-cover" onError={() => setBroken(true)} />;
  return (bot.icon === null && initialOf(bot.title)) || <LineIcon name={bot.icon ?? 'chat'} />;
}
