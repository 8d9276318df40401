import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMessages } from '../../../messages/index.ts';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { privateBotQuery, useBot } from '../bot-queries.ts';
import { AddressesSection } from './addresses-section.tsx';
import { FilesSection } from './files-section.tsx';
import { SearchSection } from './search-section.tsx';
import { SyncSection } from './sync-section.tsx';

const route = getRouteApi('/signed-in/bots/$botId/knowledge');

export function KnowledgePage() {
  const { header } = useMessages().bots;
  const { botId } = route.useParams();
  const { editable } = useBot(botId);
  const bot = useQuery({ ...privateBotQuery(botId), enabled: editable });
  if (!editable) return <EmptyState title={header.notEditableTitle} text={header.notEditableText} />;
  return (
    <Loaded query={bot}>
      {(data) => (
        <div className="flex max-w-4xl flex-col gap-5">
          <SyncSection bot={data} />
          <FilesSection bot={data} />
          <AddressesSection bot={data} />
          <SearchSection bot={data} />
        </div>
      )}
    </Loaded>
  );
}
