// Who holds bytes in the storage.

export const versionHolder = (versionId: string): string => `ui-plugins/${versionId}`
/** Of the icon that people set. */
export const iconHolder = (appId: string): string => `ui-plugins/icon/${appId}`
