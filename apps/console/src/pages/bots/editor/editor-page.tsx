import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMessages } from '../../../messages/index.ts';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { privateBotQuery, useBot } from '../bot-queries.ts';
import { BotForm } from './bot-form.tsx';

const route = getRouteApi('/signed-in/bots/$botId/edit');

export function EditorPage() {
  const { header } = useMessages().bots;
  const { botId } = route.useParams();
  const { editable } = useBot(botId);
  const bot = useQuery({ ...privateBotQuery(botId), enabled: editable });
  if (!editable) return <EmptyState title={header.notEditableTitle} text={header.notEditableText} />;
  return <Loaded query={bot}>{(data) => <BotForm bot={data} />}</Loaded>;
}
