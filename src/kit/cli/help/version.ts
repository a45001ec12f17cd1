/** The version that the programs report; a test holds it equal to package.json's. */
export const VERSION = '0.1.0';

export const versionText = (program: string): string =>
  `${program} (evenkeel) ${VERSION}\nNode.js ${process.versions.node}, V8 ${process.versions.v8}\nrunning on ${process.platform} ${process.arch}\n`;
