import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useProjectMessages } from '../../messages/project-messages.ts';
import { projectQuery } from './project-queries.ts';

/** The project in which the new chat begins. */
export function ProjectOfNewChat({ projectId }: { readonly projectId: string }) {
  const texts = useProjectMessages();
  const { data } = useQuery(projectQuery(projectId));
  if (data === undefined) return null;
  return (
    <p className="text-center text-sm text-muted">
      {texts.project}:{' '}
      <Link to="/projects/$projectId" params={{ projectId }} className="text-accent hover:underline">
        {data.title}
      </Link>
    </p>
  );
}
