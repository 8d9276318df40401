/** A project's texts are sealed under its own key, which is nested in the owner's key and destroyed when the project is deleted. */
export const projectSubject = (projectId: string, ownerId: string) => ({ id: `project:${projectId}`, within: `user:${ownerId}` });
