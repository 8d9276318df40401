import type { AuditEntry } from '@parlance/client/types';
import { Link } from '@tanstack/react-router';
import { formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { CodeBlock } from '../../../../ui/code-block.tsx';
import { Facts } from '../../../../ui/facts.tsx';
import { SidePanel } from '../../../../ui/dialogs/side-panel.tsx';
import { linkInLineLook } from '../../../../ui/link-look.ts';
import { useMe } from '../../../../session/use-me.ts';
import { Tag } from '../../../../ui/tag.tsx';
import { actorOf } from './entry-names.ts';

/** All fields of an audit entry, with links to related entries. */
export function AuditEntryPanel({ entry, onClose }: { readonly entry: AuditEntry; readonly onClose: () => void }) {
  const { audit } = useAdminMessages().admin.operations;
  const { resource_type, resource_id, resource_name, user_id } = entry;
  const me = useMe();
  const actor = actorOf(entry, audit, me.user_id) ?? user_id;
  return (
    <SidePanel title={audit.sentence(actor, entry.action_type, entry.success)} isOpen onClose={onClose}>
      <Facts
        facts={[
          [
            audit.result,
            <Tag key="result" tone={entry.success ? 'ok' : 'bad'}>
              {entry.success ? audit.succeeded : audit.refused}
            </Tag>,
          ],
          [audit.error, entry.error_message],
          [audit.time, formatTime(entry.timestamp)],
          [audit.actor, actor],
          [audit.resource, resource_name],
          [audit.resourceType, audit.resourceTypes[resource_type] ?? resource_type],
          [audit.address, entry.ip_address],
          [audit.userAgent, entry.user_agent],
          [audit.actionId, <code key="action">{entry.action_type}</code>],
          [audit.userId, user_id],
          [audit.resourceId, resource_id],
          [audit.id, entry.id],
        ]}
      />
      <div className="flex flex-wrap gap-x-4">
        <Link to="/admin/audit" search={{ user_id }} onClick={onClose} className={linkInLineLook}>
          {audit.allOfUser}
        </Link>
        {resource_id !== '' && (
          <Link to="/admin/audit" search={{ resource_type, resource_id }} onClick={onClose} className={linkInLineLook}>
            {audit.allOfResource}
          </Link>
        )}
      </div>
      <CodeBlock label={audit.full} code={JSON.stringify(entry, null, 2)} />
    </SidePanel>
  );
}
