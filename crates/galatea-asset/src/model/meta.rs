//! Names of a file's metadata.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use galatea_persist::names;

/// Metadata of a file, in order: Galatea's name of the field, and the text.
pub(crate) type Meta = Vec<(&'static str, String)>;

/// Field names of VRM 1.0, then of 0.x, with Galatea's names.
pub(crate) const NAMES: [(&str, &str); 29] = [
    ("name", "name"),
    ("title", "name"),
    ("version", "version"),
    ("authors", "author"),
    ("author", "author"),
    ("copyrightInformation", "copyright"),
    ("contactInformation", "contact"),
    ("references", "references"),
    ("reference", "references"),
    ("licenseUrl", "licence"),
    ("licenseName", "licence"),
    ("otherLicenseUrl", "other licence"),
    ("thirdPartyLicenses", "third-party licences"),
    ("avatarPermission", "allowed users"),
    ("allowedUserName", "allowed users"),
    ("commercialUsage", "commercial use"),
    ("commercialUssageName", "commercial use"),
    ("creditNotation", "credit"),
    ("allowRedistribution", "redistribution"),
    ("modification", "modification"),
    ("allowExcessivelyViolentUsage", "violent use"),
    ("violentUssageName", "violent use"),
    ("allowExcessivelySexualUsage", "sexual use"),
    ("sexualUssageName", "sexual use"),
    (
        "allowPoliticalOrReligiousUsage",
        "political or religious use",
    ),
    ("allowAntisocialOrHateUsage", "antisocial or hateful use"),
    ("otherPermissionUrl", "other permissions"),
    ("copyright", "copyright"),
    ("generator", "generator"),
];

/// Reads metadata that was written as names and texts.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Meta, D::Error> {
    let read = Vec::<(String, String)>::deserialize(deserializer)?;
    let known = || NAMES.iter().map(|(_, called)| *called);
    let found = read
        .into_iter()
        .map(|(name, text)| Ok((names::found(&name, known())?, text)));
    found
        .collect::<Result<_, String>>()
        .map_err(D::Error::custom)
}
