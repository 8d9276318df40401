// Parts of rendered objects.
export const component = ({ metadata }) => metadata.labels['app.kubernetes.io/component'];

/** The settings that are written in the template, which are those without a secret. */
export function configOf(deployment) {
  const { env } = pod(deployment).containers[0];
  return Object.fromEntries(
    env.filter(({ name, value }) => value !== undefined && name.startsWith('PARLANCE_')).map((each) => [each.name, each.value]),
  );
}

export function pod(object) {
  const podSpec = object.kind === 'Pod' ? object.spec : object.spec.template.spec;
  return { podSpec, containers: podSpec.containers };
}
