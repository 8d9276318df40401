/** The part of the address that identifies the published API of a deployment. It is the first part of a host name, so it has only lower-case letters and digits. */
export const apiIdOf = (deploymentId: string): string => deploymentId.toLowerCase();
