/** Version of the console whose API this one speaks; shown in the user menu beside the backend's own. */
export const frontendVersion = '1.0.748'
