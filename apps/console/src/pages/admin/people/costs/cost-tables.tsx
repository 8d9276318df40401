import { Link } from '@tanstack/react-router';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import type { CostTables as Tables } from './cost-rows.ts';
import { CostTable } from './cost-table.tsx';
import { useConfig } from '../../../../session/use-me.ts';
import { ShortId } from '../../operations/short-id.tsx';
import { linkLook } from '../../../../ui/link-look.ts';

/** Costs by user, bot, model and API key, and of calls of models by token, cost centre and tag. */
export function CostTables({ tables, total, hasBefore }: { readonly tables: Tables; readonly total: number; readonly hasBefore: boolean }) {
  const { people } = useAdminMessages().admin;
  const texts = people.costs;
  const models = useConfig().data?.global_available_models;
  const modelName = (id: string) => models?.find((model) => model.id === id)?.name ?? id;
  const shared = { total, hasBefore };
  return (
    <>
      <CostTable
        {...shared}
        title={texts.users}
        others={texts.otherUsers}
        head={texts.user}
        rows={tables.users}
        countHead={texts.conversations}
        nameOf={({ id, name }) => (
          <Link to="/admin/users/$userId" params={{ userId: id }} className={linkLook}>
            {name ?? people.erasedUser}
          </Link>
        )}
      />
      <CostTable
        {...shared}
        title={texts.bots}
        others={texts.otherBots}
        head={texts.bot}
        rows={tables.bots}
        countHead={texts.users}
        nameOf={({ id, name }) => (
          <Link to="/admin/bots/$botId" params={{ botId: id }} className={linkLook}>
            {name ?? people.unknownBot}
          </Link>
        )}
      />
      <CostTable
        {...shared}
        title={texts.models}
        head={texts.model}
        rows={tables.models}
        hasTokens={false}
        nameOf={({ id }) => modelName(id)}
      />
      <CostTable
        {...shared}
        title={texts.keys}
        others={texts.otherKeys}
        head={texts.key}
        rows={tables.keys}
        empty={texts.emptyKeys}
        nameOf={({ id, name, botTitle }) => (
          <>
            {name ?? <ShortId id={id} />}
            {botTitle && <span className="ms-2 text-xs text-muted">{texts.ofBot(botTitle)}</span>}
          </>
        )}
      />
      {tables.accessTokens.length > 0 && (
        <CostTable
          total={total}
          hasBefore={false}
          title={texts.accessTokens}
          head={texts.accessToken}
          rows={tables.accessTokens}
          nameOf={({ id, name, owner }) => (
            <>
              {name ?? <ShortId id={id} />}
              {owner && <span className="ms-2 text-xs text-muted">{texts.ofOwner(owner)}</span>}
            </>
          )}
        />
      )}
      {tables.costCentres.length > 0 && (
        <CostTable
          total={total}
          hasBefore={false}
          title={texts.costCentres}
          head={texts.costCentre}
          rows={tables.costCentres}
          nameOf={({ id }) => id}
        />
      )}
      {tables.tags.length > 0 && (
        <CostTable total={total} hasBefore={false} title={texts.tags} head={texts.tag} rows={tables.tags} nameOf={({ name }) => name} />
      )}
    </>
  );
}
