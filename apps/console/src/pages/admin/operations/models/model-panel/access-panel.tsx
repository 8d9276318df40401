import type { BotOfModel, Model, PersonalToken } from '@parlance/client/types';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { audited } from '../../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { SidePanel } from '../../../../../ui/dialogs/side-panel.tsx';
import { linkInLineLook, linkLook } from '../../../../../ui/link-look.ts';
import { Loaded } from '../../../../../ui/states.tsx';
import { useNames } from '../../../../bots/header/people.ts';
import { callableModelsQuery, modelsQuery, routesQuery } from '../catalogue-queries.ts';
import { isForChat } from '../connect/connected-models.ts';
import { AccessList } from './access-list.tsx';
import { replacedBy, routesTo } from './model-routes.ts';
import { formatList } from '../../../../../messages/format.ts';

const AT_ONCE = 50;
const firstPage = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_token }: { readonly next_token: string | null }) => next_token ?? undefined,
};

interface Props {
  readonly model: Model;
  readonly onClose: () => void;
}

/** Who may use a model: users in chats, shared bots, and programs with access tokens. */
export function AccessPanel({ model, onClose }: Props) {
  const { access } = useAdminMessages().admin.operations.models;
  return (
    <SidePanel title={access.title(model.name)} isOpen onClose={onClose}>
      <Chats model={model} />
      {model.available && <Bots modelId={model.id} />}
      <Programs modelId={model.id} />
    </SidePanel>
  );
}

function Chats({ model }: Pick<Props, 'model'>) {
  const { access } = useAdminMessages().admin.operations.models;
  const replaced = replacedBy(model.id, useQuery(modelsQuery).data?.models ?? []);
  return (
    <section className="flex flex-col gap-2 text-sm">
      <h3 className="text-md font-semibold">{access.chats}</h3>
      <p>{model.available ? access.allUsers : isForChat(model) ? access.unavailable : access.notForChat}</p>
      {model.available && (
        <Link to="/admin/users" className={linkInLineLook}>
          {access.toUsers}
        </Link>
      )}
      {replaced.length > 0 && <p>{access.replaces(formatList(replaced.map(({ name }) => name)))}</p>}
    </section>
  );
}

function Bots({ modelId }: { readonly modelId: string }) {
  const { access } = useAdminMessages().admin.operations.models;
  const bots = useInfiniteQuery({
    ...audited,
    ...firstPage,
    queryKey: ['admin', 'access', 'bots', modelId],
    queryFn: ({ pageParam, signal }) =>
      parlance.api.get('/admin/models/{modelId}/bots', {
        path: { modelId },
        query: { limit: AT_ONCE, next_token: pageParam },
        signal,
      }),
  });
  const items = bots.data?.pages.flatMap((page) => page.bots) ?? [];
  const names = useNames(items.map(({ owner_user_id }) => owner_user_id));
  return (
    <AccessList
      title={access.bots}
      text={access.botsText}
      query={bots}
      items={items}
      keyOf={({ id }: BotOfModel) => id}
      empty={access.noBots}
    >
      {({ id, title, owner_user_id, is_named }) => (
        <>
          <Link to="/admin/bots/$botId" params={{ botId: id }} className={`font-medium ${linkLook}`}>
            {title}
          </Link>
          <Owner userId={owner_user_id} names={names} />
          <span className="text-xs text-muted">{is_named ? access.named : access.allModels}</span>
        </>
      )}
    </AccessList>
  );
}

/** The tokens that may call the model, or a route that leads to it. */
function Programs({ modelId }: { readonly modelId: string }) {
  const { access } = useAdminMessages().admin.operations.models;
  const routes = useQuery(routesQuery);
  const callable = useQuery(callableModelsQuery);
  return (
    <Loaded query={routes}>
      {(all) => (
        <Loaded query={callable}>
          {(ids) =>
            ids.has(modelId) ? (
              <Tokens modelId={modelId} routeIds={routesTo(modelId, all)} />
            ) : (
              <section className="flex flex-col gap-2 border-t border-line pt-5 text-sm">
                <h3 className="text-md font-semibold">{access.tokens}</h3>
                <p>{access.notCallable}</p>
              </section>
            )
          }
        </Loaded>
      )}
    </Loaded>
  );
}

function Tokens({ modelId, routeIds }: { readonly modelId: string; readonly routeIds: readonly string[] }) {
  const { access } = useAdminMessages().admin.operations.models;
  const models = [modelId, ...routeIds].join(',');
  const tokens = useInfiniteQuery({
    ...audited,
    ...firstPage,
    queryKey: ['admin', 'access', 'tokens', models],
    queryFn: ({ pageParam, signal }) =>
      parlance.api.get('/admin/tokens', { query: { models, limit: AT_ONCE, next_token: pageParam }, signal }),
  });
  const items = tokens.data?.pages.flatMap((page) => page.tokens) ?? [];
  const names = useNames(items.map(({ user_id }) => user_id));
  return (
    <AccessList
      title={access.tokens}
      text={routeIds.length === 0 ? access.tokensText : access.tokensOrRoutes(formatList(routeIds))}
      query={tokens}
      items={items}
      keyOf={({ token_id }: PersonalToken) => token_id}
      empty={access.noTokens}
    >
      {({ description, user_id, models: named }) => (
        <>
          <span className="font-medium">{description}</span>
          <Owner userId={user_id} names={names} />
          <span className="text-xs text-muted">{named.length === 0 ? access.allModels : access.only(formatList(named))}</span>
        </>
      )}
    </AccessList>
  );
}

function Owner({ userId, names }: { readonly userId: string; readonly names: ReadonlyMap<string, string> }) {
  const { bots } = useAdminMessages().admin.people;
  return (
    <Link to="/admin/users/$userId" params={{ userId }} className={linkLook}>
      {names.get(userId) ?? bots.ratings.nameless}
    </Link>
  );
}
