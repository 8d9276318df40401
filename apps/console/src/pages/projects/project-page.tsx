import { ParlanceError } from '@parlance/client';
import type { Project } from '@parlance/client/types';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { useProjectMessages } from '../../messages/project-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { useMe } from '../../session/use-me.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { ChatRow } from '../chat/list/chat-row.tsx';
import { listed } from '../chat/list/listed-chat.ts';
import { MoreChats } from '../chat/list/more-chats.tsx';
import { ProjectForm } from './project-form.tsx';
import { ProjectMembers } from './project-members.tsx';
import { projectChatsQuery, projectQuery, projectsChanged } from './project-queries.ts';

const route = getRouteApi('/signed-in/projects/$projectId');

export function ProjectPage() {
  const { projectId } = route.useParams();
  const texts = useProjectMessages();
  const query = useQuery(projectQuery(projectId));
  if (query.error instanceof ParlanceError && (query.error.status === 404 || query.error.status === 400))
    return <EmptyState title={texts.unknownTitle} text={texts.unknownText} />;
  return <Loaded query={query}>{(project) => <ShownProject key={projectId} project={project} />}</Loaded>;
}

function ShownProject({ project }: { readonly project: Project }) {
  const texts = useProjectMessages();
  const navigate = useNavigate();
  const me = useMe();
  const [isEnding, setEnding] = useState(false);
  const { project_id: projectId, title, role, bot_id: bot, model } = project;
  const isOwner = role === 'owner';
  const start = () =>
    void navigate({ to: '/', search: { project: projectId, ...(bot !== null && { bot }), ...(model !== null && { model }) } });
  const end = async () => {
    if (isOwner) await parlance.api.delete('/projects/{projectId}', { path: { projectId } });
    else await parlance.api.delete('/projects/{projectId}/members/{userId}', { path: { projectId, userId: me.user_id } });
    await navigate({ to: '/' });
    await projectsChanged();
  };
  return (
    <Page
      title={title}
      actions={
        <>
          <Button look="primary" onPress={start}>
            {texts.startChat}
          </Button>
          <Button look="danger" onPress={() => setEnding(true)}>
            {isOwner ? texts.deleteProject : texts.leave}
          </Button>
        </>
      }
    >
      <Section title={texts.chats} description={texts.chatsText}>
        <Chats projectId={projectId} />
      </Section>
      <Section title={texts.settings} description={role === 'viewer' ? texts.viewerText : undefined}>
        <ProjectForm project={project} />
      </Section>
      <Section title={texts.members} description={texts.membersText}>
        <ProjectMembers project={project} />
      </Section>
      <ConfirmDialog
        title={isOwner ? texts.deleteTitle : texts.leave}
        text={isOwner ? texts.deleteText(title) : texts.leaveText}
        confirmLabel={isOwner ? texts.deleteProject : texts.leave}
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        onConfirm={end}
      />
    </Page>
  );
}

function Chats({ projectId }: { readonly projectId: string }) {
  const { chat } = useMessages();
  const texts = useProjectMessages();
  const query = useInfiniteQuery(projectChatsQuery(projectId));
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const chats = pages.flatMap(({ conversations }) => conversations);
        if (chats.length === 0) return <p className="text-sm text-muted">{texts.noChats}</p>;
        return (
          <>
            <ul aria-label={texts.chats} className="flex flex-col gap-0.5">
              {chats.map((each) => (
                <ChatRow key={each.conversation_id} chat={listed(each, chat.untitled)} />
              ))}
            </ul>
            <MoreChats query={query} />
          </>
        );
      }}
    </Loaded>
  );
}
