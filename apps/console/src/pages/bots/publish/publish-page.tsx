import type { Publication } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { useMessages } from '../../../messages/index.ts';
import { EmptyState, Loaded, Loading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { botQuery, publicationQuery, useBot, useMayShare } from '../bot-queries.ts';
import { FailedDeployment } from './failed-deployment.tsx';
import { PublishForm } from './publish-form.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const LivePublication = lazyPart(() => import('./live-publication.tsx'), 'LivePublication');

const route = getRouteApi('/signed-in/bots/$botId/publish');
const POLL_MILLIS = 1_000;

const isUnderWay = (publication: Publication | null | undefined): boolean =>
  publication?.codebuild_status === 'IN_PROGRESS' || publication?.cfn_status === 'DELETE_IN_PROGRESS';

export function PublishPage() {
  const {
    bots: { header, publish },
  } = useMessages();
  const { botId } = route.useParams();
  const bot = useBot(botId);
  const mayShare = useMayShare(bot);
  const publication = useQuery({
    ...publicationQuery(botId),
    enabled: mayShare,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? POLL_MILLIS : false),
  });
  const status = publication.data?.codebuild_status;
  const before = useRef(status);
  useEffect(() => {
    if (before.current === 'IN_PROGRESS' && status === 'SUCCEEDED') {
      toast(publish.isPublished);
      void queryClient.invalidateQueries({ queryKey: botQuery(botId).queryKey, exact: true });
    }
    before.current = status;
  }, [status, botId, publish]);

  if (!mayShare) return <EmptyState title={header.ownerOnlyTitle} text={header.ownerOnlyText} />;
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <Loaded query={publication}>
        {(data) => {
          if (data === null) return <PublishForm bot={bot} />;
          if (isUnderWay(data)) return <UnderWay publication={data} />;
          if (data.codebuild_status === 'FAILED') return <FailedDeployment bot={bot} publication={data} />;
          return (
            <Suspense fallback={<Loading />}>
              <LivePublication bot={bot} publication={data} />
            </Suspense>
          );
        }}
      </Loaded>
    </div>
  );
}

function UnderWay({ publication }: { readonly publication: Publication }) {
  const { publish } = useMessages().bots;
  const isRemoval = publication.cfn_status === 'DELETE_IN_PROGRESS';
  return (
    <div className="flex flex-col items-center gap-1 rounded-md border border-line bg-raised p-8 text-center">
      <Loading label={isRemoval ? publish.removing : publish.deploying} />
      {!isRemoval && <p className="text-sm text-muted">{publish.deployingText}</p>}
    </div>
  );
}
